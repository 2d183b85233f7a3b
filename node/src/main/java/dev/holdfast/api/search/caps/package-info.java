/// `_field_caps`: what fields of several indices can do. Called from the thread of the request on
/// the coordinating node, which reads mappings from the cluster state and asks shards only for what
/// a filter finds or which fields have values. Indices with one mapping are looked at once; what is
/// wrong with a request is a `Refusal`.
@NullMarked
package dev.holdfast.api.search.caps;

import org.jspecify.annotations.NullMarked;
