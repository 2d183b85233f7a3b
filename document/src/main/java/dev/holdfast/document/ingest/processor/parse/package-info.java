/// Processors that read structure out of text: CSV, dates, dissect, grok, JSON, key-value pairs,
/// URIs. Expressions are matched within a bound of steps, so that no text takes forever.
@NullMarked
package dev.holdfast.document.ingest.processor.parse;

import org.jspecify.annotations.NullMarked;
