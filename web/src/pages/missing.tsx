// There is nothing at this address.

import { Sorry } from "../parts/page";

export function MissingPage() {
  return <Sorry title="Nothing is here" sentence="The link may be old, or mistyped." />;
}
