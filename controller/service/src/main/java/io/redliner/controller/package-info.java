// SPDX-License-Identifier: Apache-2.0
/** The controller: the life of plans and runs. */
@NullMarked
package io.redliner.controller;

import org.jspecify.annotations.NullMarked;
