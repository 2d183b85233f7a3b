/// How well the cluster is: which shards are served, which lack copies or objects, and which nodes
/// the object store fails. Green: all shards are served; yellow: copies are missing; red: documents
/// cannot be reached or writes cannot become durable.
@NullMarked
package dev.holdfast.api.cluster.health;

import org.jspecify.annotations.NullMarked;
