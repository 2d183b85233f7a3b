/// The process that parses files for `attachment`: a question, an answer, in turn, until its
/// standard input ends. It is started by a node, with the node's class path and nothing of its
/// environment, and dies of what would make a node wait: too much memory, too much time. Formats:
/// plain text, HTML, XML, RTF, PDF, Microsoft Office, OpenDocument, EPUB.
@NullMarked
package dev.holdfast.attachment;

import org.jspecify.annotations.NullMarked;
