/// Suggesters: other words and phrases for a text, and completions of it. One file a kind, one line
/// in [Suggesters]. A suggester answers for one shard and merges the answers of all;
/// [PhraseSuggester] bounds the phrases that it tries.
@NullMarked
package dev.holdfast.query.suggest;

import org.jspecify.annotations.NullMarked;
