/// What a new build is put through once, so that every node starts with what the Java machine
/// learnt from it: which classes, and which paths are hot (JEP 514, JEP 515). Documents and
/// requests are made from a fixed seed.
@NullMarked
package dev.holdfast.node.training;

import org.jspecify.annotations.NullMarked;
