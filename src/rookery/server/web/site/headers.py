"""The headers that every answer has, whichever part of the server makes it.

The page loads nothing from elsewhere and has no script or style in itself; a page of
elsewhere may not show it, embed it, or keep a hand on its window.
"""

from typing import Final

HEADERS: Final = {
    # 'self' is the WebSocket of this address too (CSP level 3). The chess pieces are images
    # inside their style sheet.
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "no-store",
}
