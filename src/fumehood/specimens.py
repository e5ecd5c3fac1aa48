"""Small documents that warm a loader up before its zygote locks itself down, where one line does not hold them.

A specimen walks through as much of its loader as it can: what is imported or cached on the way is there for every
worker, which can open nothing by itself. Packages are kept as base64 of their ZIP file.
"""

from __future__ import annotations

import base64
from typing import Final

PDF: Final = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 44>>stream
BT /F1 12 Tf 20 100 Td (A specimen.) Tj ET\x20\x20
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
"""

# Two fonts, a style, a list item, a table, a link, a footnote, hidden text and a symbol.
RTF: Final = rb"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset2 Symbol;}{\f2\fcharset128 B;}}
{\stylesheet{\s1\outlinelevel0 heading 1;}}{\info{\title A}{\creatim\yr2026\mo1\dy2}}{\header H}
\pard\s1 One\par\pard{\listtext 1.\tab}\ls1 two \u8364?\'e9{\footnote n}\par
\trowd\cellx100\cellx200\pard\intbl a\cell\f2\'82\'a0\cell\row\pard
{\field{\*\fldinst HYPERLINK "https://example.org"}{\fldrslt link}}{\v hidden}{\f1 a}{\pict 00}\par}"""

IPYNB: Final = b"""{"nbformat": 4, "metadata": {"kernelspec": {"language": "python"}}, "cells": [
{"cell_type": "markdown", "source": ["# A\\n", "[b](https://example.org) <!-- c -->"]},
{"cell_type": "code", "source": "x", "outputs": [{"output_type": "stream", "text": ["y"]},
{"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\\u001b[31mE\\u001b[0m"]},
{"output_type": "display_data", "data": {"text/plain": "z"}}]}]}"""

# A package of a heading, a list item with a link, hidden text and a footnote, and a table with a symbol and a text box.
DOCX: Final = base64.b64decode(
    """
UEsDBBQAAAAIAAAAIQCsbhJangAAANwAAAATAAAAW0NvbnRlbnRfVHlwZXNdLnhtbF2PsQ7CMBBDf6XKitqrGBhQ24UdGPiBU3JtI5pLlBwF/p4EpA6M
lu1nubu9A6Xq5RZOvZpFwhEg6ZkcpsYH4uyMPjqULOMEAfUdJ4J92x5AexZiqaUw1NBdVorRGqquGOWMjnoFTx8NGK8fLiebTFPV6Vcry73CEBarUaxn
WNn8bdZ+HK2mrV9oIXpNKVme3NJsjkPLu4KHoYPvqeEDUEsDBBQAAAAIAAAAIQCadB58oAAAAHEBAAALAAAAX3JlbHMvLnJlbHONkD0OwjAMRq9SZaeu
GBhQ24mFFfUCJnHbiOZHjhFwezKAKKhIHW1/fnp2faIJxQafRhtTcXeTT40aReIeIOmRHKYyRPJ50gd2KLnkASLqCw4E26raAc8Zqq3nzOJoGoWq6B6R
1oBD31tNh6Cvjrws8H8SmYw8kDTqFtiAebXLjFWwoHJer/L/RnAkaFAQdGDaRM7bLJbSx0a/DeDrw+0TUEsDBBQAAAAIAAAAIQB3JsclRwAAAFAAAAAF
AAAAYy54bWyzSVSoyM3JK7ZVyigpKbDS1y8oLcrRyy9K109J1i9JLcot1leys0kuSk0sSU2xMzIwMNA1MASiEAMDKzCKstGHydroJ9oBAFBLAwQUAAAA
CAAAACEAwbhQ1J0AAADPAQAAHAAAAHdvcmQvX3JlbHMvZG9jdW1lbnQueG1sLnJlbHOt0cEKwjAMgOFXGX2AZXjwINtOXryKL1Br2hXXpLQZuLe3HsQJ
EzzsGALfT0h7xlGLZ8qDj7l6hJFypwaReADIZsCgc80RqWwsp6CljMlB1OauHcKuafaQlobq26VZnW6dyqq6zBH/gdlab/DIZgpIsuJDlnnEl6iTQyl4
XQgFK1naMktTuGLy5D5l+lm2W5YtsxDL8mb7LsPX//onUEsDBBQAAAAIAAAAIQCAee8vcgAAAJgAAAAKAAAAd29yZC9zLnhtbEVNSw7CIBC9CuEATnXh
glDWeoxJGdsmDBCGiN5e2pC4et+ZZ5uR+g0k6sMhimmz3mrNBkCWjRjlkjLFnr1SYaxdlhVaKj6XtJDIHlcOcJumOzDuUTs7HqqBTz/rx2lH5MN9Y+gb
hL6fqqsGZ2FU/0zcD1BLAwQUAAAACAAAACEAfx35W6wAAAAtAQAACgAAAHdvcmQvbi54bWxVUDEOgzAM/AqK1BXTDh0iYKzUpVM/EEIKkeKAkkB4fk1o
aVl88t3ZPrmM3E7YKKdtly1orOexYn0IIwfwslcofD6MypL2GhyKQK3rIA6uHd0glfc0iQYuRXEFFNqyuoxcND44IcNjwuzQ3duKnZPFzIYkTVCxIjE+
CBeIm4VZTbByFO6GO9kqqVGYTaLJp1p27XTOVx6SkPDv7GdVluovwyHY4TIk5xe3/9RvUEsDBBQAAAAIAAAAIQA9EIPacQAAAKYAAAAKAAAAd29yZC9m
LnhtbFXMQQqEMAwF0KtIDzDRWcyi1N6laNWCTUoS6Bx/bEEGNy/8HxJX7UakSBpl+OYTxdbZHKrFAshyxBzkRSXitduIc9Ar8g6VeC1MSxRJuOcT3uP4
gRwSGu/+P4dq0zqbqZelwQ316KCNJndL9757BPE/UEsDBBQAAAAIAAAAIQC83farXAEAADEDAAARAAAAd29yZC9kb2N1bWVudC54bWydk0tOwzAQhq9S
+QBMy6KLKI2EQAgWSIiewHGc2sKPyJ42zZE4BxfDjyQNWSE2M7b/8ef57aTsi8ays+YGN1etjC/6AxGIXQHgmeCa+jvbcRO01jpNMUzdCXrrms5Zxr2X
5qQV3G+3e9BUGjJi3F8wtm0l409jAxniuKIorfFCdn6i6f/SgihIVfZFbZsh5i6Fd5fSEQfFN31xoepAXghUJcxiClg9xCVMgsvymmLOeh68NhNtN9JG
dcV1eXyhRnqRC8clrMSvE/tCDB13SprPgKaGCRuulpJFi/X317rJec9c1lqLxiL/4C133LBoWza3PhfmsFYpZTyb/aa5H/Qm0gweyHHQtVUkzJmgoavn
7T7hQr1kmHZf6+tjqA3vMWJ0Yd/Cm8RBG0O4n5hcDFjtStDJSFqBWW64WVTdr6uSDIkI8wHZDqyagKm5pWfIPiGbhvEKYPpq4PaTVD9QSwECFAMUAAAA
CAAAACEArG4SWp4AAADcAAAAEwAAAAAAAAAAAAAAgAEAAAAAW0NvbnRlbnRfVHlwZXNdLnhtbFBLAQIUAxQAAAAIAAAAIQCadB58oAAAAHEBAAALAAAA
AAAAAAAAAACAAc8AAABfcmVscy8ucmVsc1BLAQIUAxQAAAAIAAAAIQB3JsclRwAAAFAAAAAFAAAAAAAAAAAAAACAAZgBAABjLnhtbFBLAQIUAxQAAAAI
AAAAIQDBuFDUnQAAAM8BAAAcAAAAAAAAAAAAAACAAQICAAB3b3JkL19yZWxzL2RvY3VtZW50LnhtbC5yZWxzUEsBAhQDFAAAAAgAAAAhAIB57y9yAAAA
mAAAAAoAAAAAAAAAAAAAAIAB2QIAAHdvcmQvcy54bWxQSwECFAMUAAAACAAAACEAfx35W6wAAAAtAQAACgAAAAAAAAAAAAAAgAFzAwAAd29yZC9uLnht
bFBLAQIUAxQAAAAIAAAAIQA9EIPacQAAAKYAAAAKAAAAAAAAAAAAAACAAUcEAAB3b3JkL2YueG1sUEsBAhQDFAAAAAgAAAAhALzd9qtcAQAAMQMAABEA
AAAAAAAAAAAAAIAB4AQAAHdvcmQvZG9jdW1lbnQueG1sUEsFBgAAAAAIAAgA3gEAAGsGAAAAAA==
"""
)
