/// The members of the cluster as clients see them: this node first, their roles in Elasticsearch's
/// words, and which of them a request selects.
@NullMarked
package dev.holdfast.api.cluster.member;

import org.jspecify.annotations.NullMarked;
