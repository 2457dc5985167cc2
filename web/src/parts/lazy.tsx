// A page that few look at, and that is loaded when somebody does.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Sorry } from "./page";

/** The component that this brings, once it is here. */
export function lazily<P extends object>(bring: () => Promise<ComponentType<P>>): ComponentType<P> {
  return function Lazy(props: P) {
    const [Found, setFound] = useState<ComponentType<P> | null>(null);
    const [lost, setLost] = useState(false);
    useEffect(() => {
      bring().then(
        (found) => setFound(() => found),
        () => setLost(true),
      );
    }, []);
    if (lost) return <Sorry title="This part of the page did not come" sentence="The server cannot be reached, or has a newer page: load it again." />;
    return Found ? <Found {...props} /> : <div aria-busy="true" />;
  };
}
