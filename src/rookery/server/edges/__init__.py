"""An edge: connections, and a link to a hall on another machine."""
