// SPDX-License-Identifier: Apache-2.0
/** What passes between the rooms: the topics and, in {@code v1}, their messages. */
@NullMarked
package io.redliner.contract;

import org.jspecify.annotations.NullMarked;
