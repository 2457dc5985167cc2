// A room of Colyseus that referees reversi and tells both of every move.
const { Server, Room } = require("@colyseus/core");
const { WebSocketTransport } = require("@colyseus/ws-transport");
const { start, play } = require("./reversi");

class Reversi extends Room {
  onCreate() {
    this.maxClients = 2;
    this.game = start();
    this.seats = new Map();
    this.onMessage("move", (client, at) => {
      if (play(this.game, this.seats.get(client.sessionId), at)) this.broadcast("moved", [at, this.game.moves]);
      else client.send("refused", at);
    });
  }
  onJoin(client) {
    this.seats.set(client.sessionId, this.seats.size);
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define("reversi", Reversi);
server.listen(Number(process.argv[2])).then(() => console.log(`Colyseus on 127.0.0.1:${process.argv[2]}`));
