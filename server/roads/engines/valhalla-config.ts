/**
 * The configuration of an engine of our own, for building its tiles and for asking it. Values that Valhalla needs and has no
 * default for are those of its own `valhalla_build_config` 3.6; limits are raised, since nobody else asks this engine.
 */

const unlimitedPairs = 100_000;
const perMode = {
  max_distance: 5_000_000,
  max_locations: 1000,
  max_matrix_distance: 2_000_000,
  max_matrix_location_pairs: unlimitedPairs,
};

const quiet = { type: '', color: false, file_name: '' };
const upTransitions = { max_up_transitions: { 1: 400, 2: 100 } };
const expandWithin = (near: number) => ({ expand_within_distance: { 0: 100_000_000, 1: near, 2: 5000 } });

/** `folder` is where the tiles are, or will be; `logged` writes progress to standard output. */
export function valhallaConfig(folder: string, { logged = false, threads = 2 } = {}): object {
  const logging = logged ? { type: 'std_out', color: false, file_name: '' } : quiet;
  return {
    additional_data: { elevation: '' },
    mjolnir: mjolnir(folder, threads, logging),
    loki: {
      actions: ['locate', 'route', 'sources_to_targets', 'isochrone', 'status'],
      logging: { ...logging, long_request: 100 },
      service_defaults: {
        heading_tolerance: 60,
        minimum_reachability: 50,
        node_snap_tolerance: 5,
        radius: 0,
        search_cutoff: 35_000,
        street_side_max_distance: 1000,
        street_side_tolerance: 5,
      },
      // Off: it refuses a whole question when two of its places lie on separate islands.
      use_connectivity: false,
    },
    meili: meili(logging),
    odin: { logging, markup_formatter: { markup_enabled: false } },
    thor: thor(logging),
    service_limits: serviceLimits(),
    statsd: { port: 8125, prefix: 'valhalla' },
  };
}

/** Matching of tracks is never asked for, yet an actor does not start without its figures. */
function meili(logging: object) {
  return {
    mode: 'auto',
    customizable: [],
    verbose: false,
    logging,
    grid: { cache_size: 100_240, size: 500 },
    auto: { search_radius: 50, turn_penalty_factor: 200 },
    default: {
      beta: 3,
      breakage_distance: 2000,
      geometry: false,
      gps_accuracy: 5,
      interpolation_distance: 10,
      max_route_distance_factor: 5,
      max_route_time_factor: 5,
      max_search_radius: 100,
      route: true,
      search_radius: 50,
      sigma_z: 4.07,
      turn_penalty_factor: 0,
    },
  };
}

function mjolnir(folder: string, threads: number, logging: object) {
  return {
    tile_dir: folder,
    concurrency: threads,
    admin: '',
    timezone: '',
    landmarks: '',
    transit_dir: '',
    transit_feeds_dir: '',
    traffic_extract: '',
    logging,
    data_processing: {
      allow_alt_name: false,
      apply_country_overrides: true,
      grid_divisions_within_tile: 32,
      infer_internal_intersections: true,
      infer_turn_channels: true,
      scan_tar: false,
      use_admin_db: false,
      use_direction_on_ways: false,
      use_rest_area: false,
      use_urban_tag: false,
    },
    global_synchronized_cache: false,
    hierarchy: true,
    id_table_size: 1_300_000_000,
    import_bike_share_stations: false,
    include_bicycle: false,
    include_construction: false,
    include_driveways: true,
    include_driving: true,
    include_pedestrian: false,
    include_platforms: false,
    keep_all_osm_node_ids: false,
    keep_osm_node_ids: false,
    lru_mem_cache_hard_control: false,
    max_cache_size: 500_000_000,
    max_concurrent_reader_users: 1,
    reclassify_links: true,
    shortcuts: true,
    transit_pbf_limit: 20_000,
    use_lru_mem_cache: true,
    use_simple_mem_cache: false,
  };
}

function thor(logging: object) {
  return {
    bidirectional_astar: {
      alternative_cost_extend: 1.2,
      alternative_iterations_delta: 100_000,
      hierarchy_limits: { ...upTransitions, ...expandWithin(20_000) },
      threshold_delta: 420,
    },
    unidirectional_astar: { hierarchy_limits: { ...upTransitions, ...expandWithin(100_000) } },
    costmatrix: {
      allow_second_pass: false,
      check_reverse_connection: true,
      hierarchy_limits: upTransitions,
      max_iterations: 2800,
      max_reserved_locations: 100,
      min_iterations: 100,
    },
    clear_reserved_memory: false,
    extended_search: false,
    logging: { ...logging, long_request: 110 },
    max_reserved_labels_count_astar: 2_000_000,
    max_reserved_labels_count_bidir_astar: 1_000_000,
    max_reserved_labels_count_bidir_dijkstras: 2_000_000,
    max_reserved_labels_count_dijkstras: 4_000_000,
    source_to_target_algorithm: 'select_optimal',
  };
}

function serviceLimits() {
  const modes = ['auto', 'truck', 'bicycle', 'bikeshare', 'bus', 'motor_scooter', 'motorcycle', 'taxi', 'transit'];
  return {
    ...Object.fromEntries(modes.map((mode) => [mode, perMode])),
    multimodal: { ...perMode, max_matrix_distance: 0, max_matrix_location_pairs: 0 },
    pedestrian: { ...perMode, max_transit_walking_distance: 10_000, min_transit_walking_distance: 1 },
    centroid: { max_distance: 200_000, max_locations: 5 },
    isochrone: {
      max_contours: 4,
      max_distance: 25_000,
      max_distance_contour: 200,
      max_locations: 1,
      max_time_contour: 120,
    },
    skadi: { max_shape: 750_000, min_resample: 10 },
    status: { allow_verbose: false },
    trace: {
      max_alternates: 3,
      max_alternates_shape: 100,
      max_distance: 200_000,
      max_gps_accuracy: 100,
      max_search_radius: 100,
      max_shape: 16_000,
    },
    hierarchy_limits: {
      allow_modification: false,
      bidirectional_astar: {
        max_allowed_up_transitions: { 1: 400, 2: 100 },
        max_expand_within_distance: { 0: 100_000_000, 1: 20_000, 2: 5000 },
      },
      costmatrix: { max_allowed_up_transitions: { 1: 400, 2: 100 } },
      unidirectional_astar: {
        max_allowed_up_transitions: { 1: 400, 2: 100 },
        max_expand_within_distance: { 0: 100_000_000, 1: 100_000, 2: 5000 },
      },
    },
    allow_hard_exclusions: false,
    max_alternates: 2,
    max_distance_disable_hierarchy_culling: 0,
    max_exclude_locations: 50,
    max_exclude_polygons_length: 1_000_000,
    max_radius: 200,
    max_reachability: 100,
    max_timedep_distance: 500_000,
    max_timedep_distance_matrix: 0,
  };
}
