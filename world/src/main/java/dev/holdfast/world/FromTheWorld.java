package dev.holdfast.world;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks the few places that may ask the JDK for time, chance, names or threads: the world itself,
/// and processes that have no world (load generators, launch code). Everywhere else the build
/// refuses such a call.
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface FromTheWorld {}
