/// Tests of these APIs, most of them over HTTP against a running node.
@NullMarked
package dev.holdfast.indexing.repository;

import org.jspecify.annotations.NullMarked;
