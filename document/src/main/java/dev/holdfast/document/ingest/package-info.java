/// Ingest pipelines: documents changed by processors before they are indexed.
@NullMarked
package dev.holdfast.document.ingest;

import org.jspecify.annotations.NullMarked;
