// SPDX-License-Identifier: Apache-2.0
/**
 * Kubernetes objects: a {@code CapacityTest} is a plan, a {@code RedlinerService} lets its namespace test a service.
 * {@link io.redliner.controller.service.kubernetes.CapacityTestDecider} decides what becomes of an object, without a cluster.
 * {@link io.redliner.controller.service.kubernetes.KubernetesReconciler} reads the objects, carries out what was decided, and
 * writes status and events.
 */
@NullMarked
package io.redliner.controller.service.kubernetes;

import org.jspecify.annotations.NullMarked;
