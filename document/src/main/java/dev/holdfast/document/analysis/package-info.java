/// Text analysis: analysers, normalisers and their parts as an index's settings describe them, one
/// table a kind, over Lucene's analysis modules.
@NullMarked
package dev.holdfast.document.analysis;

import org.jspecify.annotations.NullMarked;
