/** How each sales system is called on screens. Apart from the shapes: screens need the names, not the schemas. */
export const systemLabel = {
  lightspeed: 'Lightspeed Retail',
  cantaloupe: 'Cantaloupe',
  nayax: 'Nayax Core',
  moma: 'MoMa 2.0',
  nama_vdi: 'NAMA VDI 2.0',
} as const;
