// SPDX-License-Identifier: Apache-2.0

/** The content of notifications, the types of channels, and when a delivery is tried again. Plain Java. */
@NullMarked
package io.redliner.controller.core.notification;

import org.jspecify.annotations.NullMarked;
