// SPDX-License-Identifier: Apache-2.0
/** How many live runs one controller bears, how soon it is up, and how soon it answers. */
@NullMarked
package io.redliner.benchmarks.controller;

import org.jspecify.annotations.NullMarked;
