// A button that waits for the server says so, and is not pressed twice.

import { useState } from "preact/hooks";

/** Whether something is on its way, and how to wait for it. */
export function useBusy(): [busy: boolean, during: <T>(work: Promise<T>) => Promise<T>] {
  const [busy, setBusy] = useState(false);
  return [
    busy,
    (work) => {
      setBusy(true);
      return work.finally(() => setBusy(false));
    },
  ];
}
