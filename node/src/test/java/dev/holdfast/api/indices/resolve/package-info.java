/// Tests of these APIs, most of them over HTTP against a running node.
@NullMarked
package dev.holdfast.api.indices.resolve;

import org.jspecify.annotations.NullMarked;
