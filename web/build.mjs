// Builds the page into the Python package: hashed files, one index.html, and a note of the
// sources they were made from, by which a test knows whether the build is up to date.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(here, process.env.OUT ?? "../src/rookery/server/page");
const BUDGET = 150_000; // bytes of the first load, compressed

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "assets"), { recursive: true });

// The looks of the chess boards are loaded with them: the script has to know what they are called.
const chess = await esbuild.build({
  absWorkingDir: here,
  entryPoints: { chess: "src/style/chess.css" },
  outdir: join(out, "assets"),
  bundle: true,
  minify: true,
  metafile: true,
  entryNames: "[name]-[hash]",
  loader: { ".svg": "dataurl" },
});
const chessStyle = basename(Object.keys(chess.metafile.outputs)[0] ?? fail("no style of chess was built"));

const result = await esbuild.build({
  absWorkingDir: here,
  entryPoints: { page: "src/main.tsx", style: "src/style/index.css" },
  outdir: join(out, "assets"),
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none", // all terms are in licences.txt
  metafile: true,
  jsx: "automatic",
  jsxImportSource: "preact",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  publicPath: "/assets",
  define: { CHESS_STYLE: JSON.stringify(`/assets/${chessStyle}`) },
  loader: { ".svg": "file", ".png": "file" },
});

const outputs = Object.entries(result.metafile.outputs);
const made = (start) => basename(outputs.find(([, o]) => o.entryPoint === start)?.[0] ?? fail(`no ${start} was built`));
const script = made("src/main.tsx");
const style = made("src/style/index.css");

const html = readFileSync(join(here, "index.html"), "utf8")
  .replace("<!-- styles -->", `<link rel="stylesheet" href="/assets/${style}">`)
  .replace("<!-- scripts -->", `<script type="module" src="/assets/${script}"></script>`);
writeFileSync(join(out, "index.html"), html);
const icon = readFileSync(join(here, "icon.svg"), "utf8");
writeFileSync(join(out, "assets", "icon.svg"), icon);
// The same with a dot, for a tab that calls.
writeFileSync(join(out, "assets", "icon-call.svg"), icon.replace("</svg>", '<circle cx="24" cy="8" r="7" fill="#f0a030" stroke="#fff" stroke-width="2"/></svg>'));
for (const name of readdirSync(join(here, "icons"))) writeFileSync(join(out, "assets", name), readFileSync(join(here, "icons", name)));
writeFileSync(join(out, "source.txt"), `${digest()}\n`);
writeFileSync(join(out, "licences.txt"), licences());

const first = [script, style, ...statics(`${script}`)].map((name) => join(out, "assets", name));
const size = [join(out, "index.html"), ...first].reduce((sum, file) => sum + zipped(file), 0);
console.log(`first load: ${(size / 1000).toFixed(1)} kB compressed, of ${BUDGET / 1000}`);
for (const [name, o] of outputs) console.log(`  ${basename(name)} ${o.bytes}`);
if (size > BUDGET) fail("the first load is too large");

/** Files that the script loads before it runs. */
function statics(name, seen = new Set()) {
  const output = outputs.find(([path]) => basename(path) === name)?.[1];
  for (const { path, kind } of output?.imports ?? []) {
    const file = basename(path);
    if (kind === "import-statement" && !seen.has(file)) {
      seen.add(file);
      statics(file, seen);
    }
  }
  return [...seen];
}

function zipped(file) {
  return gzipSync(readFileSync(file), { level: 9 }).length;
}

/** A digest of everything the page is made from, in the order of the files' names. */
function digest() {
  const hash = createHash("sha256");
  const sources = [...files(join(here, "src")), ...files(join(here, "icons")), "build.mjs", "icon.svg", "index.html", "package-lock.json"]
    .map((path) => (path.startsWith(here) ? relative(here, path) : path))
    .sort();
  for (const path of sources) {
    hash.update(`${path}\n`);
    hash.update(readFileSync(join(here, path)));
  }
  return hash.digest("hex");
}

function files(folder) {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? files(path) : [path]));
}

/** What the page is built with, and under which terms. */
function licences() {
  const used = Object.keys(JSON.parse(readFileSync(join(here, "package.json"), "utf8")).dependencies).sort();
  return used.map((name) => `${name}\n\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}\n`).join("\n\n");
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
