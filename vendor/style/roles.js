// The references are a list to a screen reader; docutils gives their entries a role that ARIA has since withdrawn.
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll('[role="doc-biblioentry"]').forEach((entry) => entry.setAttribute("role", "listitem"));
});
