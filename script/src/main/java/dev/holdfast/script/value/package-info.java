/// The values of documents as scripts see them: `doc['field']`, `field('field')`. Where they come
/// from is told by whoever searches.
@NullMarked
package dev.holdfast.script.value;

import org.jspecify.annotations.NullMarked;
