/// Text analysis: analysers, normalisers and their parts as an index's settings describe them, one
/// table a kind, over Lucene's analysis modules. An analyser is shared by threads; its token
/// streams are not.
@NullMarked
package dev.holdfast.document.analysis;

import org.jspecify.annotations.NullMarked;
