// Where the page begins.

import { render } from "preact";
import { App } from "./app";
import { keepLooks } from "./looks";
import * as me from "./me";
import { catchLinks } from "./route";
import { keepTab } from "./tab-title";

const root = document.getElementById("app");
if (!root) throw new Error("the page has a place for the app");
catchLinks();
keepLooks();
keepTab();
render(<App />, root);
void me.arrive();
// Only says, where that is so, that the server cannot be reached. Where there are no workers, the browser does.
navigator.serviceWorker?.register("/worker.js").catch(() => undefined);
