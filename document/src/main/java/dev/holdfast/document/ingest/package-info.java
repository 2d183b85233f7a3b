/// Ingest pipelines: documents changed by processors before they are indexed, as trees. What a
/// processor is and what it is read with; `processor.Processors` lists the kinds. A pipeline is
/// immutable and of any thread; a document is of one. What fails is a failure of that document,
/// which `on_failure` may handle.
@NullMarked
package dev.holdfast.document.ingest;

import org.jspecify.annotations.NullMarked;
