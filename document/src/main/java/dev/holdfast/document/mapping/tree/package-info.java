/// The mapping as an immutable tree of objects and fields, and what those who read documents and
/// rebuild sources ask of it ([DocumentMapping]).
@NullMarked
package dev.holdfast.document.mapping.tree;

import org.jspecify.annotations.NullMarked;
