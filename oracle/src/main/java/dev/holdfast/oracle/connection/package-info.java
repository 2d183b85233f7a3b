/// What clients do to a server with connections, whatever they ask for: many at a time, requests in
/// halves, answers that nobody reads.
@NullMarked
package dev.holdfast.oracle.connection;

import org.jspecify.annotations.NullMarked;
