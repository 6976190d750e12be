// SPDX-License-Identifier: Apache-2.0
/** Drives runs: feeds decisions with events, stores them, and does what they command. */
@NullMarked
package io.redliner.controller.driver;

import org.jspecify.annotations.NullMarked;
