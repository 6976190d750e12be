// SPDX-License-Identifier: Apache-2.0
/**
 * Decodes messages of the contract into domain objects, and encodes verdicts. Messages with impossible values are refused, with the
 * reason.
 */
@NullMarked
package io.redliner.analyzer.codec;

import org.jspecify.annotations.NullMarked;
