/// Tests of these APIs, most of them over HTTP against a running node.
@NullMarked
package dev.holdfast.api.snapshot;

import org.jspecify.annotations.NullMarked;
