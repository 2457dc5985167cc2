// A client of the tourney dialect in JavaScript: a nim bot that plays the winning strategy,
// and comes back by itself when the server was away.
//
// node examples/tourney_client.js 127.0.0.1 7350 Bob [CODE]

const net = require("net");

const [host, port, name, code] = process.argv.slice(2);
let id = null; // `@PLAYER:` and this make us the same player again
let role = null;
let won = 0;
let played = 0;
let playing = false;
let ended = false; // the tournament is, though our last match may go on, and count

// Leave the other side rows whose exclusive or is 0; where that is so already, take one stick.
function move(rows) {
  const sum = rows.reduce((all, row) => all ^ row, 0);
  const row = rows.findIndex((sticks) => (sum ? (sticks ^ sum) < sticks : sticks > 0));
  return `@GAME:MOVE:${row},${sum ? rows[row] - (rows[row] ^ sum) : 1}`;
}

function hear(line, say) {
  const [command, what, ...rest] = line.split(":");
  if (command === "@PING") say("@PONG");
  if (command === "@PID") id = what;
  if (command === "@ERROR") console.error(what);
  if (command === "@ERROR" && (id === null || what.startsWith("Failed"))) process.exit(1);
  if (command === "@TOUR" && what === "END") ended = true;
  if (command === "@GAME" && what === "START") playing = true;
  if (command === "@GAME" && what === "RESULT") playing = false;
  if (command === "@GAME") play(what, rest, say);
  if (ended && !playing) leave();
}

function play(what, rest, say) {
  if (what === "START") role = rest[0];
  if (what === "STATE") {
    const [turn, , ...rows] = rest[0].split(",").map(Number);
    if ("HA"[turn] === role) say(move(rows));
  }
  if (what === "RESULT") {
    played += 1;
    won += rest[0] === role ? 1 : 0;
  }
}

function leave() {
  console.log(`${won} of ${played} won`);
  process.exit(0);
}

function connect() {
  const wire = net.createConnection({ host, port: Number(port) });
  const say = (...lines) => wire.write(lines.map((line) => `${line}\n`).join(""));
  let part = "";
  wire.setEncoding("utf8");
  wire.on("connect", () => {
    if (id === null) say("@NEW PLAYER", `@NAME:${name}`, code ? `@TOUR:JOIN:${code}` : "@TOUR:JOIN");
    else say(`@PLAYER:${id}`);
  });
  wire.on("data", (text) => {
    const lines = (part + text).split("\n");
    part = lines.pop();
    for (const line of lines) hear(line, say);
  });
  wire.on("error", () => {}); // it is closed next
  wire.on("close", () => {
    if (id === null) console.error("There is no server there, or it hung up.");
    if (id === null) process.exit(1);
    setTimeout(connect, 1000); // our seat, and our clock, wait for us
  });
}

connect();
