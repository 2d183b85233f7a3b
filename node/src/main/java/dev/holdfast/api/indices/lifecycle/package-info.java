/// What the lifecycles of data streams say: how requests and templates write them, how long
/// documents are kept for the cluster's bounds, when an index is full or old. Pure functions; who
/// acts by them is in `api.indices.stream`.
@NullMarked
package dev.holdfast.api.indices.lifecycle;

import org.jspecify.annotations.NullMarked;
