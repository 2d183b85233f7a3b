/// Tests of the package of the same name.
@NullMarked
package dev.holdfast.node.api.template;

import org.jspecify.annotations.NullMarked;
