// SPDX-License-Identifier: Apache-2.0
/** Reads what somebody says of a deployment, over REST and from Kafka. */
@NullMarked
package io.redliner.controller.service.scheduling;

import org.jspecify.annotations.NullMarked;
