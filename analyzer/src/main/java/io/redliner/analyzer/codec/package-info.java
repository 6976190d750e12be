// SPDX-License-Identifier: Apache-2.0
/**
 * Messages of the contract come in. What is absurd is refused with the reason. Domain objects go out, and verdicts as
 * messages the other way round.
 */
@NullMarked
package io.redliner.analyzer.codec;

import org.jspecify.annotations.NullMarked;
