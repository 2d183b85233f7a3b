/// `_rank_eval`: how good the ranking of searches is, by rated documents.
@NullMarked
package dev.holdfast.api.search.evaluation;

import org.jspecify.annotations.NullMarked;
