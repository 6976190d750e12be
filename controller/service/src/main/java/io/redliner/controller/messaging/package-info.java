// SPDX-License-Identifier: Apache-2.0
/** What goes to and comes from Kafka. */
@NullMarked
package io.redliner.controller.messaging;

import org.jspecify.annotations.NullMarked;
