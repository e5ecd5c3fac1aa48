"""Rich text of remarks and of form fields (ISO 32000-2, annex M of 12.7.3.4): XHTML, of which we keep the text."""
