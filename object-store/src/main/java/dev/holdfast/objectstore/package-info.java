/// Where all data lives (§3.1): [ObjectStore], one narrow interface of whole, named objects with
/// strong read-after-write and conditional writes; what its failures mean to a caller
/// ([StoreException], [StoreFailure]); what keys look like ([Keys]); and a store in memory.
///
/// A key is written once with put-if-absent, or it is a register that is changed by compare-and-set
/// only. Nothing else is assumed of a store, and every implementation passes the same contract
/// test. Calls block, may be made from any thread, and are made on virtual threads. An
/// implementation tries each request once: who wants more wraps it in `retry`.
@NullMarked
package dev.holdfast.objectstore;

import org.jspecify.annotations.NullMarked;
