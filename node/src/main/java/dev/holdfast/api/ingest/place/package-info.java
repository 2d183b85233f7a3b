/// Databases that tell where addresses are, and of whose networks: files that lie in the store.
@NullMarked
package dev.holdfast.api.ingest.place;

import org.jspecify.annotations.NullMarked;
