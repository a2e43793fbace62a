# The parts of the job service and the dashboard, lowest first.
warden_part(service COLD LINK warden_os)
# Also what `warden run`, `watch` and `eval` do.
warden_part(watch COLD LINK warden_actions warden_report warden_service)
warden_part(auth COLD LINK warden_service warden_http warden_net)
warden_part(s3 LINK warden_auth warden_format ZLIB::ZLIB)
warden_part(jobs/record COLD LINK warden_os)
warden_part(jobs/db COLD LINK warden_jobs_record SQLite::SQLite3)
warden_part(jobs/logs COLD LINK warden_jobs_record)
warden_part(jobs/agent COLD LINK warden_storage)
warden_part(jobs/launch COLD LINK
  warden_jobs_agent warden_jobs_logs warden_s3 warden_monitor warden_capture warden_format
  warden_rules)
warden_part(jobs/slurm COLD LINK warden_jobs_launch)
warden_part(jobs/events COLD LINK warden_jobs_db warden_http warden_service warden_actions)
warden_part(jobs/rules COLD LINK warden_jobs_events warden_jobs_launch warden_watch)
warden_part(jobs/supervise COLD LINK warden_jobs_rules)
warden_part(jobs/exec COLD LINK warden_auth warden_jobs_db warden_jobs_logs)
warden_part(sagemaker COLD LINK warden_auth warden_jobs_supervise)
# Amazon's model of requests becomes a part of the program.
warden_embed(warden_sagemaker ShapesJson
  ${PROJECT_SOURCE_DIR}/warden/sagemaker/model/shapes.json
  NAMESPACE warden::sagemaker HEADER warden/sagemaker/model/shapes_json.h)
warden_part(client COLD LINK warden_http warden_net warden_jobs_exec)
warden_part(dashboard/core LINK warden_auth warden_jobs_record)
warden_part(dashboard/tensors LINK
  warden_dashboard_core warden_view_series warden_view_values warden_rules)
warden_part(dashboard/metrics LINK warden_dashboard_core warden_view_metrics warden_rules)
warden_part(dashboard/profile LINK warden_dashboard_core warden_s3 warden_report)
warden_part(dashboard/timeline LINK warden_dashboard_core warden_view_series warden_view_timeline)
warden_part(dashboard/site LINK
  warden_dashboard_tensors warden_dashboard_metrics warden_dashboard_profile
  warden_dashboard_timeline warden_sagemaker warden_capture warden_watch warden_storage_s3)
target_link_libraries(warden_dashboard_site PRIVATE ZLIB::ZLIB)
target_compile_definitions(warden_dashboard_site PRIVATE WARDEN_VERSION="${PROJECT_VERSION}")
warden_dashboard_assets(warden_dashboard_site)
warden_part(daemon COLD LINK
  warden_client warden_dashboard_site warden_jobs_exec warden_jobs_slurm warden_s3
  warden_sagemaker)
