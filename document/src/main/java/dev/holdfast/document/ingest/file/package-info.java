/// `attachment`: text and properties taken out of files that lie in documents.
///
/// Parsers of foreign formats are large, and files are made to break them. So they run in a process
/// of their own, which knows nothing of the cluster, has a small heap and a time for each file, and
/// may die of one: that file is refused, the node goes on. This package has what both processes
/// know: what is asked of a parser ([FileParser]), what it finds, and the messages between them.
/// The parsers are in room `attachment`, their processes are kept by the node.
@NullMarked
package dev.holdfast.document.ingest.file;

import org.jspecify.annotations.NullMarked;
