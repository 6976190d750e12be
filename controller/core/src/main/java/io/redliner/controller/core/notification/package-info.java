// SPDX-License-Identifier: Apache-2.0

/** What people are told of a run, how a receiver is called, and when a message is tried again. Plain Java. */
@NullMarked
package io.redliner.controller.core.notification;

import org.jspecify.annotations.NullMarked;
