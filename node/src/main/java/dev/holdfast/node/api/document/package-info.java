/// APIs that write and read documents by id, one file an API.
@NullMarked
package dev.holdfast.node.api.document;

import org.jspecify.annotations.NullMarked;
