// Where points are on the plane: by principal components at once, by t-SNE or UMAP in small steps.

export type Method = 'pca' | 'tsne' | 'umap';

// A layout in the making. places changes with every step: two numbers for each row.
export interface Stepwise {
  readonly steps: number;
  readonly taken: number;
  readonly done: boolean;
  readonly places: Float64Array;
  step: () => void;
}
