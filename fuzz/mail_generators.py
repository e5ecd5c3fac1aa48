"""Hypothesis strategies for mail: parts of parts, with fields and delimiters that lie now and then."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from fumehood.fuzz import mail_files


def _entities() -> SearchStrategy[bytes]:
    fields = st.lists(st.sampled_from(mail_files.FIELDS), max_size=3).map(b"".join)
    leaf = st.builds(
        mail_files.message, st.sampled_from(mail_files.BODIES), st.sampled_from(mail_files.TYPES), fields
    ) | st.builds(mail_files.encoded, st.sampled_from(mail_files.BODIES), st.sampled_from(mail_files.TYPES))
    return st.recursive(
        leaf,
        lambda inner: (
            st.builds(
                lambda subtype, parts, boundary: mail_files.multipart(subtype, *parts, boundary=boundary),
                st.sampled_from(mail_files.SUBTYPES),
                st.lists(inner, min_size=1, max_size=3),
                st.sampled_from([b"b", b"bb", b'"c d"', b"=_e"]),
            )
            | inner.map(lambda entity: mail_files.message(mail_files.eml(entity), b"message/rfc822"))
        ),
        max_leaves=8,
    )


def emls() -> SearchStrategy[bytes]:
    whole = _entities().map(mail_files.eml)
    cut = st.builds(lambda data, end: data[: len(data) * end // 10], whole, st.integers(1, 9))
    wired = whole.map(lambda data: data.replace(b"\n", b"\r\n"))
    return st.one_of(whole, wired, cut)


def archives() -> SearchStrategy[bytes]:
    """Web archives: related parts of any type, the first one mostly a page."""
    return st.lists(_entities(), max_size=3).map(lambda parts: mail_files.archive(mail_files.BODIES[2], *parts))


def mboxes() -> SearchStrategy[bytes]:
    return st.lists(emls() | st.just(b"\n>From x\n\nFrom y\n"), min_size=1, max_size=3).map(
        lambda messages: mail_files.mbox(*messages)
    )
