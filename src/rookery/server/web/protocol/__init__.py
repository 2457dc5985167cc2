"""HTTP and WebSocket as bytes on a connection of ours."""
