// SPDX-License-Identifier: Apache-2.0
/** A small live service whose capacity is known by construction, and its users. */
@NullMarked
package io.redliner.standalone.demo;

import org.jspecify.annotations.NullMarked;
