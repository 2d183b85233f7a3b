/// Tests of the training run.
@NullMarked
package dev.holdfast.node.training;

import org.jspecify.annotations.NullMarked;
