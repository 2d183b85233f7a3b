/// Tests of aggregations over HTTP against a running node.
@NullMarked
package dev.holdfast.api.search.aggregation;

import org.jspecify.annotations.NullMarked;
