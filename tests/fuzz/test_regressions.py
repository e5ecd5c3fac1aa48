"""What was found once stays mended: each file of `fuzz/regressions` ends as its manifest says."""

from __future__ import annotations

import pytest

from fumehood import kinds
from fumehood.errors import REFUSAL_CODES
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.findings import FOLDER, MANIFEST, Finding, findings
from fumehood.fuzz.targets import BAD_REPLY, TARGETS

MOST_BYTES = 64 * 1024
REGISTERED = {kind.name for kind in kinds.kinds()}


@pytest.mark.parametrize("finding", findings(), ids=lambda finding: finding.file)
def test_a_finding_stays_mended(finding: Finding) -> None:
    name = finding.kind if finding.kind in TARGETS else f"load:{finding.kind}"
    if name not in TARGETS:
        pytest.skip(f"there is no loader for {finding.kind}")
    assert TARGETS[name](finding.read()) == finding.expected


def test_the_manifest_names_every_file_once() -> None:
    listed = [finding.file for finding in findings()]
    assert sorted(listed) == sorted(path.name for path in FOLDER.iterdir() if path != MANIFEST)


@pytest.mark.parametrize("finding", findings(), ids=lambda finding: finding.file)
def test_the_manifest_is_plain(finding: Finding) -> None:
    assert finding.expected in {READ, BAD_REPLY, *REFUSAL_CODES}
    assert finding.what
    assert len(finding.read()) <= MOST_BYTES
