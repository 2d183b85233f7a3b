/// The official Elasticsearch clients, each against a real node process: what they send and what
/// they make of the answers is Elasticsearch's own idea of its API.
@NullMarked
package dev.holdfast.clientstest;

import org.jspecify.annotations.NullMarked;
